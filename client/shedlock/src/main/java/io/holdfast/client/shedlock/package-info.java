/** ShedLock's locks, kept in a Holdfast cluster. */
@NullMarked
package io.holdfast.client.shedlock;

import org.jspecify.annotations.NullMarked;
