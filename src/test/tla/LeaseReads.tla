---------------------------- MODULE LeaseReads ----------------------------
(* Reads that a leader answers by its clock, without asking anybody.

   A round of heartbeats that a quorum answers proves that its sender led when the round began. It proves more: whoever
   answered had word from the leader after the round began, and for one election timeout from that word helps nobody
   else into office. So the leader may answer reads alone until Lease, which is less than Timeout, has passed since the
   round began. Clocks drift; Timeout - Lease is the margin for it.

   Time. There is no clock of the world: only the order of what happens matters to a reader. Each member has a clock,
   and any may tick at any moment, as long as no two are ever further apart than Apart. So an interval that one member
   measures as x lasts between x - 2 * Apart and x + 2 * Apart for another, and a margin of 2 * Apart is just enough.
   Deadlines are kept as what is left until them, which makes the states finite although time never ends.

   Index. Every leader begins its term with an empty entry and answers no reads before that is committed. By leader
   completeness (Elections.tla) it then has all that earlier terms committed. So a read of term t lacks something
   acknowledged before it began exactly if a later term has committed something: the read's index and the committed
   ones are compared by term.

   Left out, since it only ever prevents elections: the pre-vote, the comparison of logs, waits beyond stickiness. Left
   out, since it only prolongs stickiness: a message from a leader outside the round that counts, and what a candidate
   has left of its own. Left out, since who votes or stands comes to it as well: that a member merely meets a later term.
   Votes and answers count when they are given: a leader that learns of them later has its lease from the same moment,
   and for a shorter while. *)

EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Members,      \* the voters
  None,         \* no member
  MaxTerm,      \* the bound of the model: elections end here
  Timeout,      \* Settings.electionTimeoutMs(), in ticks
  Lease,        \* Settings.leaseMs(), in ticks
  Apart,        \* how far two clocks are ever apart, in ticks
  FastPath,     \* Settings.fastPath()
  Mistaken,     \* whether a living leader's process may be found gone
  RestartSticky, \* whether a member is sticky after a restart: ElectionTimer's constructor
  HandOverEnds  \* what a hand-over ends the lease for: the "term", the "attempt", or "nothing"

VARIABLES
  ahead,    \* how far the member's clock is ahead of the slowest
  term,     \* MemberState.term(), durable
  vote,     \* MemberState's vote in that term, durable
  role,     \* Role in lower case; "successor" is a candidate because the leader asked
  follows,  \* MemberState.leader() of a follower; the fast path alone asks for it
  sticky,    \* ElectionTimer.stickyUntilMs: the ticks until then
  votes,    \* Election.votes: who elects this candidate
  answered, \* ReadRounds.open: who answered the open round of this leader; empty if none is open
  age,      \* the ticks since that round began, as far as they matter
  lease,    \* ReadRounds.leaseUntilMs: the ticks until then
  ended,    \* ReadRounds.leaseEnded
  orders,   \* Message.HandOver on their way: term and successor
  newest    \* the latest term in which an entry was committed, and so may have been acknowledged

clocks == <<ahead, age, lease, sticky>>
office == <<votes, answered, age, lease, ended>>
vars == <<ahead, term, vote, role, follows, sticky, votes, answered, age, lease, ended, orders, newest>>

Quorums == {q \in SUBSET Members : 2 * Cardinality(q) > Cardinality(Members)}
Max(x, y) == IF x > y THEN x ELSE y
Less(x, y) == IF x > y THEN x - y ELSE 0
Leads(m) == role[m] = "leader"

Init ==
  /\ ahead = [m \in Members |-> 0]
  /\ term = [m \in Members |-> 1]
  /\ vote = [m \in Members |-> None]
  /\ \E first \in Members : role = [m \in Members |-> IF m = first THEN "leader" ELSE "follower"]
  /\ follows = [m \in Members |-> None]
  /\ sticky = [m \in Members |-> 0]
  /\ votes = [m \in Members |-> {}]
  /\ answered = [m \in Members |-> {}]
  /\ age = [m \in Members |-> 0]
  /\ lease = [m \in Members |-> 0]
  /\ ended = [m \in Members |-> FALSE]
  /\ orders = {}
  /\ newest = 0

(* What a member forgets as it leaves a candidacy or an office: Roles.leave. *)
Leaves(m) ==
  /\ votes' = [votes EXCEPT ![m] = {}]
  /\ answered' = [answered EXCEPT ![m] = {}]
  /\ age' = [age EXCEPT ![m] = 0]
  /\ lease' = [lease EXCEPT ![m] = 0]
  /\ ended' = [ended EXCEPT ![m] = FALSE]

----------------------------------------------------------------------------
(* Time. *)

(* The clocks of the members in s go on by one tick; ahead counts from the slowest. *)
Tick(s) ==
  LET moved == [m \in Members |-> IF m \in s THEN ahead[m] + 1 ELSE ahead[m]]
      slowest == CHOOSE x \in {moved[m] : m \in Members} : \A m \in Members : x <= moved[m]
  IN /\ \A m \in Members : moved[m] - slowest <= Apart
     /\ ahead' = [m \in Members |-> moved[m] - slowest]
     /\ sticky' = [m \in Members |-> IF m \in s THEN Less(sticky[m], 1) ELSE sticky[m]]
     /\ lease' = [m \in Members |-> IF m \in s THEN Less(lease[m], 1) ELSE lease[m]]
     /\ age' = [m \in Members |-> IF m \in s /\ answered[m] # {} /\ age[m] < Lease THEN age[m] + 1 ELSE age[m]]
     /\ UNCHANGED <<term, vote, role, follows, votes, answered, ended, orders, newest>>

(* The process ends, and begins anew at once: while it is down it does nothing, as one that is slow. Term and vote are on
   the disk; that it must stick to a leader is not. *)
Restart(m) ==
  /\ role' = [role EXCEPT ![m] = "follower"]
  /\ follows' = [follows EXCEPT ![m] = None]
  /\ sticky' = [sticky EXCEPT ![m] = IF RestartSticky THEN Timeout ELSE 0]
  /\ Leaves(m)
  /\ UNCHANGED <<ahead, term, vote, orders, newest>>

----------------------------------------------------------------------------
(* Elections: Election and Roles. *)

Candidate(m, kind) ==
  /\ term[m] < MaxTerm
  /\ term' = [term EXCEPT ![m] = @ + 1]
  /\ vote' = [vote EXCEPT ![m] = m]
  /\ role' = [role EXCEPT ![m] = kind]
  /\ follows' = [follows EXCEPT ![m] = None]
  /\ votes' = [votes EXCEPT ![m] = {m}]
  /\ sticky' = [sticky EXCEPT ![m] = 0]
  /\ UNCHANGED <<ahead, answered, age, lease, ended, orders, newest>>

(* Election.startPreVote and campaign: the timer has expired, and stickiness is over, which is shorter. *)
Stand(m) == ~Leads(m) /\ sticky[m] = 0 /\ Candidate(m, "candidate")

(* Election.handedOver: the order holds for the term in which it was given, however late it comes. *)
TakeOver(m) == ~Leads(m) /\ <<term[m], m>> \in orders /\ Candidate(m, "successor")

(* Election.requested, answered and Roles.lead: v is asked by c, and its vote may be the one that was missing. Who leads or
   sticks to a leader votes only for a successor. *)
Vote(v, c) ==
  /\ v # c /\ role[c] \in {"candidate", "successor"}
  /\ term[v] < term[c] \/ (term[v] = term[c] /\ vote[v] = None)
  /\ role[c] = "successor" \/ (~Leads(v) /\ sticky[v] = 0)
  /\ LET wins == votes[c] \cup {v} \in Quorums
     IN /\ role' = [role EXCEPT ![v] = "follower", ![c] = IF wins THEN "leader" ELSE @]
        /\ votes' = [votes EXCEPT ![v] = {}, ![c] = IF wins THEN {} ELSE @ \cup {v}]
  /\ term' = [term EXCEPT ![v] = term[c]]
  /\ vote' = [vote EXCEPT ![v] = c]
  /\ follows' = [follows EXCEPT ![v] = None]
  /\ answered' = [answered EXCEPT ![v] = {}]
  /\ age' = [age EXCEPT ![v] = 0]
  /\ lease' = [lease EXCEPT ![v] = 0]
  /\ ended' = [ended EXCEPT ![v] = FALSE]
  /\ UNCHANGED <<ahead, sticky, orders, newest>>

(* RaftCore.peerGone: the leader that v follows is found gone. Stickiness ends, and v may stand at once. *)
PeerGone(v) ==
  /\ FastPath /\ follows[v] # None
  /\ Mistaken \/ ~Leads(follows[v]) \/ term[follows[v]] # term[v]
  /\ sticky' = [sticky EXCEPT ![v] = 0]
  /\ follows' = [follows EXCEPT ![v] = None]
  /\ UNCHANGED <<ahead, term, vote, role, office, orders, newest>>

(* A leader that hears no quorum steps down: Roles.stepDown. *)
Abdicate(m) ==
  /\ Leads(m)
  /\ role' = [role EXCEPT ![m] = "follower"]
  /\ Leaves(m)
  /\ UNCHANGED <<ahead, term, vote, follows, sticky, orders, newest>>

----------------------------------------------------------------------------
(* Rounds and leases: ReadRounds, LeaderMessages, LeadershipTransfer. *)

(* ReadRounds.begin. A round that is never answered makes place for the next. *)
Begin(l) ==
  /\ Leads(l)
  /\ answered' = [answered EXCEPT ![l] = {l}]
  /\ age' = [age EXCEPT ![l] = 0]
  /\ UNCHANGED <<ahead, term, vote, role, follows, sticky, votes, lease, ended, orders, newest>>

(* LeaderMessages.hear and ReadRounds.reached: v hears of the open round of l and answers. The message carries entries too, so
   a quorum of answers commits. *)
Hear(v, l) ==
  /\ v # l /\ Leads(l) /\ answered[l] # {} /\ term[v] <= term[l]
  /\ term' = [term EXCEPT ![v] = term[l]]
  /\ vote' = [vote EXCEPT ![v] = IF term[v] < term[l] THEN None ELSE @]
  /\ role' = [role EXCEPT ![v] = "follower"]
  /\ follows' = [follows EXCEPT ![v] = IF FastPath THEN l ELSE None]
  /\ sticky' = [sticky EXCEPT ![v] = Timeout]
  /\ votes' = [votes EXCEPT ![v] = {}]
  /\ ended' = [ended EXCEPT ![v] = FALSE]
  /\ LET won == answered[l] \cup {v} \in Quorums
     IN /\ answered' = [answered EXCEPT ![v] = {}, ![l] = IF won THEN {} ELSE @ \cup {v}]
        /\ age' = [age EXCEPT ![v] = 0, ![l] = IF won THEN 0 ELSE @]
        /\ lease' = [lease EXCEPT ![v] = 0, ![l] = IF won THEN Max(@, Lease - age[l]) ELSE @]
        /\ newest' = IF won THEN Max(newest, term[l]) ELSE newest
  /\ UNCHANGED <<ahead, orders>>

(* LeadershipTransfer.to and flush. *)
HandOver(l, v) ==
  /\ Leads(l) /\ v # l /\ term[l] < MaxTerm
  /\ orders' = orders \cup {<<term[l], v>>}
  /\ ended' = [ended EXCEPT ![l] = HandOverEnds # "nothing"]
  /\ UNCHANGED <<clocks, term, vote, role, follows, votes, answered, newest>>

(* LeadershipTransfer.tick gives up. A lease that ended for the attempt alone would be back. *)
GiveUp(l) ==
  /\ HandOverEnds = "attempt" /\ ended[l]
  /\ ended' = [ended EXCEPT ![l] = FALSE]
  /\ UNCHANGED <<clocks, term, vote, role, follows, votes, answered, orders, newest>>

Next ==
  \/ \E s \in IF Apart = 0 THEN {Members} ELSE {{m} : m \in Members} : Tick(s)
  \/ \E m \in Members :
       \/ Restart(m)
       \/ Stand(m) \/ TakeOver(m) \/ Abdicate(m) \/ PeerGone(m)
       \/ Begin(m) \/ GiveUp(m)
  \/ \E m, n \in Members : Vote(m, n) \/ Hear(m, n) \/ HandOver(m, n)

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Members)

----------------------------------------------------------------------------

(* ReadRounds.hasLease: l would answer a read at this moment, alone. *)
AnswersAlone(l) == Leads(l) /\ lease[l] > 0 /\ ~ended[l]

Types ==
  /\ \A m \in Members :
       /\ ahead[m] \in 0..Apart /\ sticky[m] \in 0..Timeout /\ age[m] \in 0..Lease /\ lease[m] \in 0..Lease
       /\ term[m] \in 0..MaxTerm /\ vote[m] \in Members \cup {None} /\ follows[m] \in Members \cup {None}
       /\ role[m] \in {"follower", "candidate", "successor", "leader"}
       /\ ~Leads(m) => answered[m] = {} /\ age[m] = 0 /\ lease[m] = 0 /\ ~ended[m]
  /\ newest \in 0..MaxTerm

ElectionSafety == \A m, n \in Members : Leads(m) /\ Leads(n) /\ term[m] = term[n] => m = n

(* A read answered at this moment sees all that was acknowledged until now, and so all before it was asked. *)
LinearizableReads == \A l \in Members : AnswersAlone(l) => newest <= term[l]

(* Each of these is to be found wrong: the model does reach what it speaks about. *)
NoReadAfterAChangeOfLeader == \A l \in Members : AnswersAlone(l) => term[l] < 2
NoTwoLeaders == \A m, n \in Members : Leads(m) /\ Leads(n) /\ newest = term[m] => m = n
NoLeaderByHandOver == \A l \in Members : Leads(l) => <<term[l] - 1, l>> \notin orders
=============================================================================
