/** Coordination in the log: what its entries look like, and how the machine tells of them. */
@NullMarked
package io.holdfast.coordination;

import org.jspecify.annotations.NullMarked;
