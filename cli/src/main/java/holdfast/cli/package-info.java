/** The command line {@code holdfast}, for people and for scripts. */
@NullMarked
package holdfast.cli;

import org.jspecify.annotations.NullMarked;
