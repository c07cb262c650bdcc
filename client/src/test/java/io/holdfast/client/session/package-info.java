/** Tests of the session's rules, in virtual time. */
@NullMarked
package io.holdfast.client.session;

import org.jspecify.annotations.NullMarked;
