/**
 * A small data store over HTTP that refuses stale fencing tokens, and a client that writes to it
 * under a lock: the two halves of a lock service's promise, in one place.
 */
@NullMarked
package io.holdfast.samples.store;

import org.jspecify.annotations.NullMarked;
