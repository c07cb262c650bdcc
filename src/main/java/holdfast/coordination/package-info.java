/** What the nodes agree on. So far: the numbers of grants. */
@NullMarked
package holdfast.coordination;

import org.jspecify.annotations.NullMarked;
