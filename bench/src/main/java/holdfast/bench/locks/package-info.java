/** What clients get out of locks, and what a lock costs: over session streams and by calls. */
@NullMarked
package holdfast.bench.locks;

import org.jspecify.annotations.NullMarked;
