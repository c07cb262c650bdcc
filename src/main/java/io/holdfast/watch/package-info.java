/**
 * Watches: the public changes of locks, as this node applies them, told to whoever asks. The rules
 * are {@link ChangeHistory}, {@link Subscriptions} and {@link Watch}, without threads; {@link
 * WatchHub} is the shell around them.
 */
@NullMarked
package io.holdfast.watch;

import org.jspecify.annotations.NullMarked;
