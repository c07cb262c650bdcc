/** Each lock as one event-sourced actor, sharded over the cluster, and the typed door to it. */
@NullMarked
package io.holdfast.entity;

import org.jspecify.annotations.NullMarked;
