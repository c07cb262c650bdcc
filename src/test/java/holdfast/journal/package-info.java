/** Tests of what is kept of the locks. */
@NullMarked
package holdfast.journal;

import org.jspecify.annotations.NullMarked;
