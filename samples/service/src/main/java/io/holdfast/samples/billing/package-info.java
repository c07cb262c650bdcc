/** A sample of a service: of its instances one at a time sends bills. */
@NullMarked
package io.holdfast.samples.billing;

import org.jspecify.annotations.NullMarked;
