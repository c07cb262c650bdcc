/** Attacks on nodes through nothing but their ports, beside a client that must not notice. */
@NullMarked
package io.holdfast.bench.floods;

import org.jspecify.annotations.NullMarked;
