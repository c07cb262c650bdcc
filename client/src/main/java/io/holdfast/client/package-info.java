/**
 * The Java client: locks of a Holdfast cluster, with fencing tokens and an honest deadline.
 *
 * <p>{@link io.holdfast.client.HoldfastClient} is the connection, {@link
 * io.holdfast.client.HoldfastLock} is the handle of one lock, {@link io.holdfast.client.Grant} is
 * an acquired lock. Everything here may be used by many threads at once. Failures are {@link
 * io.holdfast.client.HoldfastException}s; each says whether the request may have had an effect.
 */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
