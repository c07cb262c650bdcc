/**
 * Planted bugs: changes to the source of core and log that a simulation must find. Each is compiled
 * in memory and lives in a class loader of its own, so the code itself knows nothing of it.
 */
@NullMarked
package io.holdfast.simulation.planted;

import org.jspecify.annotations.NullMarked;
