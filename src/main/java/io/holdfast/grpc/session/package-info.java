/** Session streams: a pure core for each stream, and the actor and flow around it. */
@NullMarked
package io.holdfast.grpc.session;

import org.jspecify.annotations.NullMarked;
