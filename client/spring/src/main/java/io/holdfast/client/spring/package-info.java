/** Spring Integration's locks, kept in a Holdfast cluster. */
@NullMarked
package io.holdfast.client.spring;

import org.jspecify.annotations.NullMarked;
