/** Tests of the journal. */
@NullMarked
package io.holdfast.journal;

import org.jspecify.annotations.NullMarked;
