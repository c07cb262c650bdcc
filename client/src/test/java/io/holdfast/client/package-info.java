/** Tests of the client, against a node that says what a test has it say. */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
