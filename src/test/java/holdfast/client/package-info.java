/** The callers' side of the client, above a simulated session. */
@NullMarked
package holdfast.client;

import org.jspecify.annotations.NullMarked;
