/**
 * The rules of a client's session, pure: no clock, no thread, no connection, no chance. Time, ids
 * and chance are arguments; what is to be done comes back as {@link
 * io.holdfast.client.session.Effect}s.
 *
 * <p>Not part of the library's interface: it may change at any time. The rules are those of
 * docs/protocol.md, for clients in any language.
 */
@NullMarked
package io.holdfast.client.session;

import org.jspecify.annotations.NullMarked;
