@NullMarked
package holdfast.samples.store;

import org.jspecify.annotations.NullMarked;
