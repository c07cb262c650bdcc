/** A node: its process, its data directory, and the wiring of all rooms. */
@NullMarked
package io.holdfast.server;

import org.jspecify.annotations.NullMarked;
