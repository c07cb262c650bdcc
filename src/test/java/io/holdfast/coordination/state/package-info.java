/** The rules of coordination, one test each, against a model, and in simulated time. */
@NullMarked
package io.holdfast.coordination.state;

import org.jspecify.annotations.NullMarked;
