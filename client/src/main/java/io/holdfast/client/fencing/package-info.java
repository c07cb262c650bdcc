/**
 * Guards for stores: they refuse the writes of a late holder by its fencing token.
 *
 * <p>The rule, for exclusive locks: a token smaller than the largest that was seen for the key is
 * refused; an equal one is accepted, since a holder may write many times; a larger one is kept, in
 * the same atomic step as the write.
 */
@NullMarked
package io.holdfast.client.fencing;

import org.jspecify.annotations.NullMarked;
