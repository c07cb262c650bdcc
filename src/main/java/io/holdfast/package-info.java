/**
 * Holdfast, a distributed lock manager: the map of its rooms.
 *
 * <ul>
 *   <li>{@link io.holdfast.bytes} is bytes as a value, and the input and output of binary formats,
 *       pure.
 *   <li>{@link io.holdfast.id} is the ids and numbers that several rooms share, pure.
 *   <li>{@link io.holdfast.lock} is the values of one lock, and {@link io.holdfast.lock.rules} its
 *       rules, pure.
 *   <li>{@link io.holdfast.lease} is the values of one shared lease, and {@link
 *       io.holdfast.lease.rules} its rules, pure.
 *   <li>{@link io.holdfast.raft} is consensus: the port to a replicated log, in {@link
 *       io.holdfast.raft.core} its rules, pure, in {@link io.holdfast.raft.log} its files, in
 *       {@link io.holdfast.raft.link} its links between members, and in {@link
 *       io.holdfast.raft.node} the thread that drives them.
 *   <li>{@link io.holdfast.coordination} is what the nodes agree on, and a node's own part in it:
 *       in {@link io.holdfast.coordination.state} the rules of sessions, shards and blocks of
 *       tokens, pure, in {@link io.holdfast.coordination.node} the duties of the log's leader and
 *       the tokens of a node, pure, in {@link io.holdfast.coordination.member} the part that every
 *       member has, in {@link io.holdfast.coordination.following} how services follow the log, in
 *       {@link io.holdfast.coordination.akka} what Akka is told at every member, and in {@link
 *       io.holdfast.coordination.hosting} what it is told at nodes.
 *   <li>{@link io.holdfast.wire} is the messages between members about locks and leases.
 *   <li>{@link io.holdfast.sharding} is the way of any member to the locks and leases: it finds
 *       their shards, asks their actors, and renews.
 *   <li>{@link io.holdfast.journal} is the store of the locks' and leases' events, over the
 *       replicated log: what an append is judged by is in {@link io.holdfast.journal.state}, pure.
 *   <li>{@link io.holdfast.keeper} keeps the deadlines of a shard's locks and leases.
 *   <li>{@link io.holdfast.entity} runs each lock and each lease as one persistent actor.
 *   <li>{@link io.holdfast.hosting} hosts these actors on the nodes that own their shards, and
 *       reads what a node has applied of them.
 *   <li>{@link io.holdfast.watch} tells the public changes of locks to whoever watches them.
 *   <li>{@link io.holdfast.grpc} speaks the public protocol.
 *   <li>{@link io.holdfast.service} makes an actor system of somebody else a member of the nodes'
 *       cluster, without a log and shards of its own.
 *   <li>{@link io.holdfast.config} reads and checks the settings, those of every member in {@link
 *       io.holdfast.config.member}.
 *   <li>{@link io.holdfast.server} wires a node together, and starts and ends its process.
 * </ul>
 *
 * <p>The arrows, which say what each room may use, are in docs/architecture.md. A test keeps them.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
