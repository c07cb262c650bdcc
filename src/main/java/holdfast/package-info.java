/**
 * Holdfast, a distributed lock manager: the map of its rooms.
 *
 * <ul>
 *   <li>{@link holdfast.lock} is the rules of one lock, pure.
 *   <li>{@link holdfast.coordination} gives out fencing tokens.
 *   <li>{@link holdfast.entity} runs each lock as one persistent actor, and is the typed door to
 *       it.
 *   <li>{@link holdfast.grpc} speaks the public protocol.
 *   <li>{@link holdfast.config} reads and checks the settings.
 *   <li>{@link holdfast.server} wires a node together, and starts and ends its process.
 * </ul>
 *
 * <p>The arrows: {@code server} sees every room; {@code grpc} sees {@code entity}, {@code lock},
 * {@code coordination} and {@code config}; {@code entity} sees {@code lock}, {@code coordination}
 * and {@code config}; {@code coordination} sees {@code lock}; {@code lock} sees nothing but the
 * JDK. A test keeps them.
 */
@NullMarked
package holdfast;

import org.jspecify.annotations.NullMarked;
