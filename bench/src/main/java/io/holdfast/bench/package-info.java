/** Load against a running cluster, and what it took. */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
