/** What callers of the client use, above a session that is simulated. */
@NullMarked
package holdfast.client;

import org.jspecify.annotations.NullMarked;
