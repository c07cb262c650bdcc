/** Tests of what clients are told of changes. */
@NullMarked
package holdfast.watch;

import org.jspecify.annotations.NullMarked;
