/** Measures clusters under load. */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
