/** The command line: {@code holdfast lock}, {@code try-lock}, {@code unlock} and {@code get}. */
@NullMarked
package holdfast.cli;

import org.jspecify.annotations.NullMarked;
