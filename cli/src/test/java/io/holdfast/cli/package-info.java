/** Tests of the command line, against a small node of its own. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
