/** What is kept of the locks, in bytes that are read for ever. */
@NullMarked
package holdfast.journal;

import org.jspecify.annotations.NullMarked;
