/** Load against a running cluster, and what it took. */
@NullMarked
package holdfast.bench;

import org.jspecify.annotations.NullMarked;
