/**
 * The values of one shared lease: its terms, commands and their outcomes. Its rules, which only
 * nodes have, are in {@code io.holdfast.lease.rules}.
 */
@NullMarked
package io.holdfast.lease;

import org.jspecify.annotations.NullMarked;
