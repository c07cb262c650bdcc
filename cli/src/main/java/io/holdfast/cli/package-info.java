/** The command line {@code holdfast}, for people and for scripts. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
