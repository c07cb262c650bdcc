/**
 * The deadlines of the locks and leases of a shard: one keeper for each shard knows them all, tells
 * who waits, and answers renewals that change nothing but the time.
 */
@NullMarked
package io.holdfast.keeper;

import org.jspecify.annotations.NullMarked;
