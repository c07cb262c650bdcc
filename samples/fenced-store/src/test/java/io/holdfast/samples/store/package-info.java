@NullMarked
package io.holdfast.samples.store;

import org.jspecify.annotations.NullMarked;
