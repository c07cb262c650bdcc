/**
 * Each lock and each shared lease as one event-sourced actor. It decides a batch of commands at a
 * time, and persists what it decided as one event.
 */
@NullMarked
package io.holdfast.entity;

import org.jspecify.annotations.NullMarked;
