/**
 * The settings that every member of the cluster has, and what reads settings: one tree, read once,
 * all faults reported together.
 */
@NullMarked
package io.holdfast.config.member;

import org.jspecify.annotations.NullMarked;
