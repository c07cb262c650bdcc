/** Tests of the registry, against naive locks. */
@NullMarked
package io.holdfast.client.spring;

import org.jspecify.annotations.NullMarked;
