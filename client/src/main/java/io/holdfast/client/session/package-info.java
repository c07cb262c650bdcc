/**
 * The pure rules of a client's session: no clock, thread, connection or randomness. Time, ids and
 * random numbers are arguments; the actions to execute are returned as {@link
 * io.holdfast.client.session.Effect}s.
 *
 * <p>Not part of the library's interface: it may change at any time. The rules are those of
 * docs/protocol.md, for clients in any language.
 */
@NullMarked
package io.holdfast.client.session;

import org.jspecify.annotations.NullMarked;
