/**
 * Makes a service a member of the nodes' Akka cluster: it has a session in the log, by way of any
 * node, uses the locks of all, and runs none of them.
 */
@NullMarked
package io.holdfast.service;

import org.jspecify.annotations.NullMarked;
