/** Tests of what is kept of the locks. */
@NullMarked
package io.holdfast.journal;

import org.jspecify.annotations.NullMarked;
