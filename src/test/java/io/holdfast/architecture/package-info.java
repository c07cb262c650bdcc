/** Tests that keep the house: arrows, tidiness, and the public contract. */
@NullMarked
package io.holdfast.architecture;

import org.jspecify.annotations.NullMarked;
