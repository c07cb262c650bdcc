/** The settings: one tree in reference.conf, read once, all faults reported together. */
@NullMarked
package io.holdfast.config;

import org.jspecify.annotations.NullMarked;
