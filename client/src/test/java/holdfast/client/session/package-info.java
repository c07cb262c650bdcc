/** Tests of the session's rules, in virtual time. */
@NullMarked
package holdfast.client.session;

import org.jspecify.annotations.NullMarked;
