/** Tests of the benchmark of locks. */
@NullMarked
package holdfast.bench.locks;

import org.jspecify.annotations.NullMarked;
