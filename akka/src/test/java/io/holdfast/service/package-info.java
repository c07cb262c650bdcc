/** Tests of what comes with the artifact; those with nodes are in the node's own tests. */
@NullMarked
package io.holdfast.service;

import org.jspecify.annotations.NullMarked;
