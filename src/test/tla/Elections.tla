---------------------------- MODULE Elections ----------------------------
(* Who may lead: pre-vote, leader stickiness, the fast path, hand-over and witnesses, over logs that are replicated as
   in plain Raft. Sticky: a member had a message from a leader so lately that it votes for nobody else.

   A log is the sequence of its entries' terms: Raft itself compares no more. Every log begins with entry 1, of term 1,
   which founded the cluster. The first entry of a leader is empty, those after it are proposals.

   There is no time here: safety leans on none. Stickiness ends when it likes, by silence, or, on the fast path, because a
   member finds the leader's process gone. The clocks, and what does lean on them, are in LeaseReads.tla.

   Messages may be lost, repeated, delayed and reordered: whatever stood in the log of a term's leader may arrive at any
   later moment, and so may any beginning of it. An answer counts when it is given; what the asker makes of it comes any
   time later. Left out: syncs (what is answered is durable), snapshots, changes of members. *)

EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Full,         \* the full voters
  Witnesses,    \* the voters that keep the log and apply nothing
  None,         \* no member
  MaxTerm,      \* the bounds of the model: elections end here,
  MaxLog,       \* and proposals here
  Steady,       \* whether it begins with a leader whom everyone follows, and not before the first election
  Silence,      \* whether a living leader may be silent for so long that stickiness ends
  Crashes,      \* "none", "for_good", or "with_restart"
  FastPath,     \* Settings.fastPath()
  Mistakes,     \* how many members may find a living leader's process gone
  KeepsLog,     \* whether a witness keeps the log, and so compares it before it votes
  Yields        \* whether full members refuse a witness the pre-vote: Election.leadsInstead

VARIABLES
  up,       \* whether the process runs
  term,     \* MemberState.term(), durable
  vote,     \* MemberState's vote in that term, durable
  log,      \* RaftLog, durable
  role,     \* Role in lower case; "successor" is a candidate because the leader asked
  follows,  \* MemberState.leader() of a follower
  sticky,    \* ElectionTimer.sticksToLeader()
  votes,    \* Election.votes: who elects this candidate, or would
  match,    \* Progress.match: how far each log is known to this leader to equal its own
  sent,     \* what the leader of each term has or had in its log
  orders,   \* Message.HandOver on their way: term and successor
  elected,  \* all who ever took office: term and member
  mistaken, \* the members that found a living leader's process gone
  committed \* the longest log that a leader has committed

vars == <<up, term, vote, log, role, follows, sticky, votes, match, sent, orders, elected, mistaken, committed>>

Members == Full \cup Witnesses
Terms == 1..MaxTerm
Quorums == {q \in SUBSET Members : 2 * Cardinality(q) > Cardinality(Members)}
Last(s) == s[Len(s)]
Prefix(s, n) == SubSeq(s, 1, n)
IsPrefix(s, t) == Len(s) <= Len(t) /\ Prefix(t, Len(s)) = s
Leads(m) == role[m] = "leader"
Nothing == [m \in Members |-> 0]
Founded == IF Steady THEN 2 ELSE 1 \* what is in every log from the beginning, and need not be told apart

Init ==
  /\ up = [m \in Members |-> TRUE]
  /\ vote = [m \in Members |-> None]
  /\ votes = [m \in Members |-> {}]
  /\ orders = {}
  /\ mistaken = {}
  /\ sticky = [m \in Members |-> Steady]
  /\ IF Steady
     THEN \E first \in Full :
            /\ term = [m \in Members |-> 2]
            /\ log = [m \in Members |-> IF m \in Full \/ KeepsLog THEN <<1, 2>> ELSE <<1>>]
            /\ role = [m \in Members |-> IF m = first THEN "leader" ELSE "follower"]
            /\ follows = [m \in Members |-> IF m = first THEN None ELSE first]
            /\ match = [m \in Members |-> IF m = first THEN [n \in Members |-> 2] ELSE Nothing]
            /\ sent = [t \in Terms |-> IF t = 2 THEN <<1, 2>> ELSE <<>>]
            /\ elected = {<<2, first>>}
            /\ committed = <<1, 2>>
     ELSE /\ term = [m \in Members |-> 1]
          /\ log = [m \in Members |-> <<1>>]
          /\ role = [m \in Members |-> "follower"]
          /\ follows = [m \in Members |-> None]
          /\ match = [m \in Members |-> Nothing]
          /\ sent = [t \in Terms |-> <<>>]
          /\ elected = {}
          /\ committed = <<1>>

----------------------------------------------------------------------------
(* Processes. *)

Crash(m) ==
  /\ up[m] /\ Crashes # "none"
  /\ up' = [up EXCEPT ![m] = FALSE]
  /\ role' = [role EXCEPT ![m] = "follower"]
  /\ follows' = [follows EXCEPT ![m] = None]
  /\ sticky' = [sticky EXCEPT ![m] = FALSE]
  /\ votes' = [votes EXCEPT ![m] = {}]
  /\ match' = [match EXCEPT ![m] = Nothing]
  /\ UNCHANGED <<term, vote, log, sent, orders, elected, mistaken, committed>>

Restart(m) ==
  /\ ~up[m] /\ Crashes = "with_restart"
  /\ up' = [up EXCEPT ![m] = TRUE]
  /\ UNCHANGED <<term, vote, log, role, follows, sticky, votes, match, sent, orders, elected, mistaken, committed>>

(* Nothing was heard from the leader for an election timeout. *)
StickinessEnds(m) ==
  /\ Silence /\ sticky[m]
  /\ sticky' = [sticky EXCEPT ![m] = FALSE]
  /\ UNCHANGED <<up, term, vote, log, role, follows, votes, match, sent, orders, elected, mistaken, committed>>

(* RaftCore.peerGone and ElectionTimer.leaderGone: the leader that m follows is found gone, rightly or by mistake. It is
   sticky no longer, and may stand at once. *)
PeerGone(m) ==
  /\ FastPath /\ sticky[m] /\ follows[m] # None
  /\ IF Leads(follows[m]) /\ term[follows[m]] = term[m]
     THEN /\ Cardinality(mistaken \cup {m}) <= Mistakes
          /\ mistaken' = mistaken \cup {m}
     ELSE mistaken' = mistaken
  /\ sticky' = [sticky EXCEPT ![m] = FALSE]
  /\ UNCHANGED <<up, term, vote, log, role, follows, votes, match, sent, orders, elected, committed>>

----------------------------------------------------------------------------
(* Elections: Election and Roles. *)

(* Election.isUpToDate: c has all that v may have committed. *)
UpToDate(c, v) ==
  \/ v \in Witnesses /\ ~KeepsLog
  \/ Last(log[c]) > Last(log[v])
  \/ Last(log[c]) = Last(log[v]) /\ Len(log[c]) >= Len(log[v])

(* Election.leadsInstead: v is a full member that lacks nothing of the witness c. *)
LeadsInstead(v, c) ==
  /\ Yields /\ c \in Witnesses /\ v \in Full
  /\ Len(log[c]) <= Len(log[v]) /\ log[v][Len(log[c])] = Last(log[c])

(* Election.stand: patience is over. It asks whether it would win, in the term it has. *)
Stand(m) ==
  /\ up[m] /\ role[m] \in {"follower", "pre_candidate", "candidate", "successor"} /\ ~sticky[m] /\ term[m] < MaxTerm
  /\ role' = [role EXCEPT ![m] = "pre_candidate"]
  /\ follows' = [follows EXCEPT ![m] = None]
  /\ votes' = [votes EXCEPT ![m] = {m}]
  /\ UNCHANGED <<up, term, vote, log, sticky, match, sent, orders, elected, mistaken, committed>>

(* Election.requested, for a pre-vote: the answer binds v to nothing. Who leads or sticks to a leader grants none. *)
PreVote(v, c) ==
  /\ v # c /\ up[v] /\ role[c] = "pre_candidate" /\ v \notin votes[c]
  /\ ~Leads(v) /\ ~sticky[v]
  /\ \/ term[c] + 1 > term[v]
     \/ term[c] + 1 = term[v] /\ (vote[v] = c \/ (vote[v] = None /\ follows[v] = None))
  /\ UpToDate(c, v) /\ ~LeadsInstead(v, c)
  /\ votes' = [votes EXCEPT ![c] = @ \cup {v}]
  /\ UNCHANGED <<up, term, vote, log, role, follows, sticky, match, sent, orders, elected, mistaken, committed>>

Candidate(m, kind) ==
  /\ term[m] < MaxTerm
  /\ term' = [term EXCEPT ![m] = @ + 1]
  /\ vote' = [vote EXCEPT ![m] = m]
  /\ role' = [role EXCEPT ![m] = kind]
  /\ follows' = [follows EXCEPT ![m] = None]
  /\ votes' = [votes EXCEPT ![m] = {m}]
  /\ UNCHANGED <<up, log, sticky, match, sent, orders, elected, mistaken, committed>>

(* Election.campaign: it would win. *)
Campaign(m) == role[m] = "pre_candidate" /\ votes[m] \in Quorums /\ Candidate(m, "candidate")

(* Election.handedOver: without a pre-vote. *)
TakeOver(m) == up[m] /\ ~Leads(m) /\ <<term[m], m>> \in orders /\ m \notin Witnesses /\ Candidate(m, "successor")

(* Election.requested, for a vote. Who leads or sticks to a leader hears only a successor. A later term is entered in any
   case. *)
Vote(v, c) ==
  /\ v # c /\ up[v] /\ role[c] \in {"candidate", "successor"} /\ term[v] <= term[c]
  /\ role[c] = "successor" \/ (~Leads(v) /\ ~sticky[v])
  /\ LET later == term[v] < term[c]
         grants == UpToDate(c, v) /\ (later \/ (vote[v] = None /\ follows[v] = None))
     IN /\ later \/ grants
        /\ term' = [term EXCEPT ![v] = term[c]]
        /\ vote' = [vote EXCEPT ![v] = IF grants THEN c ELSE IF later THEN None ELSE @]
        /\ role' = [role EXCEPT ![v] = IF later THEN "follower" ELSE @]
        /\ follows' = [follows EXCEPT ![v] = None]
        /\ match' = [match EXCEPT ![v] = Nothing]
        /\ votes' = [votes EXCEPT ![v] = IF later THEN {} ELSE @, ![c] = IF grants THEN @ \cup {v} ELSE @]
  /\ UNCHANGED <<up, log, sticky, sent, orders, elected, mistaken, committed>>

(* Roles.lead and LeaderTerm.begin: a term begins with an empty entry. *)
Lead(m) ==
  /\ role[m] \in {"candidate", "successor"} /\ votes[m] \in Quorums
  /\ role' = [role EXCEPT ![m] = "leader"]
  /\ votes' = [votes EXCEPT ![m] = {}]
  /\ LET begun == Append(log[m], term[m])
     IN /\ log' = [log EXCEPT ![m] = begun]
        /\ sent' = [sent EXCEPT ![term[m]] = begun]
        /\ match' = [match EXCEPT ![m] = [Nothing EXCEPT ![m] = Len(begun)]]
  /\ elected' = elected \cup {<<term[m], m>>}
  /\ UNCHANGED <<up, term, vote, follows, sticky, orders, mistaken, committed>>

(* MessageDispatcher.receive: m meets a later term. *)
Meet(m, n) ==
  /\ up[m] /\ term[m] < term[n]
  /\ term' = [term EXCEPT ![m] = term[n]]
  /\ vote' = [vote EXCEPT ![m] = None]
  /\ role' = [role EXCEPT ![m] = "follower"]
  /\ follows' = [follows EXCEPT ![m] = None]
  /\ votes' = [votes EXCEPT ![m] = {}]
  /\ match' = [match EXCEPT ![m] = Nothing]
  /\ UNCHANGED <<up, log, sticky, sent, orders, elected, mistaken, committed>>

----------------------------------------------------------------------------
(* Leading: LeaderTerm, Replication, LeaderMessages, LeadershipTransfer. *)

(* LeaderTerm.propose. A witness takes none: LeaderTerm.refusal. *)
Propose(l) ==
  /\ Leads(l) /\ l \notin Witnesses /\ Len(log[l]) < MaxLog
  /\ log' = [log EXCEPT ![l] = Append(@, term[l])]
  /\ sent' = [sent EXCEPT ![term[l]] = log'[l]]
  /\ match' = [match EXCEPT ![l][l] = Len(log'[l])]
  /\ UNCHANGED <<up, term, vote, role, follows, sticky, votes, orders, elected, mistaken, committed>>

(* LeaderMessages.append: v is sent the log of the leader of term t up to index n. An entry that differs takes everything after
   it with it. *)
Accept(v, t, n) ==
  LET entries == Prefix(sent[t], n)
      has == IsPrefix(entries, log[v])
      l == CHOOSE m \in Members : <<t, m>> \in elected
  IN /\ up[v] /\ term[v] <= t /\ v # l
     /\ term' = [term EXCEPT ![v] = t]
     /\ vote' = [vote EXCEPT ![v] = IF term[v] < t THEN None ELSE @]
     /\ role' = [role EXCEPT ![v] = "follower"]
     /\ follows' = [follows EXCEPT ![v] = l]
     /\ sticky' = [sticky EXCEPT ![v] = TRUE]
     /\ votes' = [votes EXCEPT ![v] = {}]
     /\ log' = [log EXCEPT ![v] = IF has \/ (v \in Witnesses /\ ~KeepsLog) THEN @ ELSE entries]
     /\ match' = [match EXCEPT ![v] = Nothing,
                               ![l][v] = IF Leads(l) /\ term[l] = t /\ n > @ THEN n ELSE @]
     /\ UNCHANGED <<up, sent, orders, elected, mistaken, committed>>

(* LeaderTerm.advanceCommit: only entries of its own term are counted. *)
Commit(l, n) ==
  /\ Leads(l) /\ n <= Len(log[l]) /\ log[l][n] = term[l] /\ n > Len(committed)
  /\ {m \in Members : match[l][m] >= n} \in Quorums
  /\ committed' = Prefix(log[l], n)
  /\ UNCHANGED <<up, term, vote, log, role, follows, sticky, votes, match, sent, orders, elected, mistaken>>

(* LeadershipTransfer.to and flush: to a full member that lacks nothing. The leader may lead on if nothing comes of it. *)
HandOver(l, v) ==
  /\ Leads(l) /\ v # l /\ v \in Full /\ match[l][v] = Len(log[l]) /\ term[l] < MaxTerm
  /\ orders' = orders \cup {<<term[l], v>>}
  /\ UNCHANGED <<up, term, vote, log, role, follows, sticky, votes, match, sent, elected, mistaken, committed>>

(* Roles.stepDown: it has not heard a quorum. *)
Abdicate(l) ==
  /\ Silence /\ Leads(l)
  /\ role' = [role EXCEPT ![l] = "follower"]
  /\ match' = [match EXCEPT ![l] = Nothing]
  /\ UNCHANGED <<up, term, vote, log, follows, sticky, votes, sent, orders, elected, mistaken, committed>>

Next ==
  \/ \E m \in Members :
       \/ Crash(m) \/ Restart(m) \/ StickinessEnds(m) \/ PeerGone(m)
       \/ Stand(m) \/ Campaign(m) \/ TakeOver(m) \/ Lead(m) \/ Abdicate(m) \/ Propose(m)
  \/ \E m, n \in Members : PreVote(m, n) \/ Vote(m, n) \/ Meet(m, n) \/ HandOver(m, n)
  \/ \E m \in Members, t \in Terms : \E n \in Founded..Len(sent[t]) : Accept(m, t, n) \/ Commit(m, n)

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Full)

----------------------------------------------------------------------------

ElectionSafety == \A x, y \in elected : x[1] = y[1] => x = y

LogMatching ==
  \A m, n \in Full : \A i \in 1..Len(log[m]) :
    i <= Len(log[n]) /\ log[m][i] = log[n][i] => Prefix(log[m], i) = Prefix(log[n], i)

(* Whoever leads in the term of the last commit, or in a later one, has all that is committed. *)
LeaderCompleteness == \A l \in Members : Leads(l) /\ term[l] >= Last(committed) => IsPrefix(committed, log[l])

(* What is committed stays so. *)
StateMachineSafety == [][IsPrefix(committed, committed')]_vars

(* A witness leads only to hand over: nothing but the empty entry is of its term. *)
WitnessesTakeNoProposals ==
  \A x \in elected : x[2] \in Witnesses => Cardinality({i \in 1..Len(sent[x[1]]) : sent[x[1]][i] = x[1]}) <= 1

(* From a steady beginning and unless the leader acts otherwise, it stays, and no term is begun. *)
Undisturbed == orders = {} => Cardinality(elected) = 1 /\ \A m \in Members : term[m] = 2

(* Each of these is to be found wrong: the model does reach what it speaks about. *)
NoNewLeader == orders = {} => Cardinality(elected) <= 1
NoTwoLeaders == \A m, n \in Members : Leads(m) /\ Leads(n) => m = n
NoCommitByANewLeader == Last(committed) <= 2
NoWitnessLeads == \A x \in elected : x[2] \notin Witnesses
NoWitnessHandsOver ==
  \A x \in elected : x[2] \in Witnesses => \A f \in Full : <<x[1], f>> \notin orders \/ <<x[1] + 1, f>> \notin elected
=============================================================================
