@NullMarked
package io.holdfast.coordination.node;

import org.jspecify.annotations.NullMarked;
