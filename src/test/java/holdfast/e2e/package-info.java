/** Tests against real processes, started as a user starts them. */
@NullMarked
package holdfast.e2e;

import org.jspecify.annotations.NullMarked;
