/** Tests of the registry, against naive locks. */
@NullMarked
package holdfast.client.spring;

import org.jspecify.annotations.NullMarked;
