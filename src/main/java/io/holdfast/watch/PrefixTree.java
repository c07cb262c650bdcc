package io.holdfast.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Values by prefixes, as a tree whose edges are pieces of text: a key finds all its prefixes on one
 * walk along its own characters. It has at most two nodes for each prefix.
 */
final class PrefixTree<T> {

  private static final class Node<T> {
    private String edge;
    private final Set<T> values = new LinkedHashSet<>();
    private final Map<Character, Node<T>> children = new HashMap<>(4);

    Node(String edge) {
      this.edge = edge;
    }

    private void adopt(Node<T> child) {
      children.put(child.edge.charAt(0), child);
    }
  }

  private final Node<T> root = new Node<>("");

  void add(String prefix, T value) {
    Node<T> node = root;
    int at = 0;
    while (at < prefix.length()) {
      Node<T> child = node.children.get(prefix.charAt(at));
      if (child == null) {
        child = new Node<>(prefix.substring(at));
        node.adopt(child);
      }
      int common = common(child.edge, prefix, at);
      if (common < child.edge.length()) {
        Node<T> between = new Node<>(child.edge.substring(0, common));
        node.adopt(between);
        child.edge = child.edge.substring(common);
        between.adopt(child);
        child = between;
      }
      node = child;
      at += common;
    }
    node.values.add(value);
  }

  void remove(String prefix, T value) {
    List<Node<T>> path = new ArrayList<>();
    Node<T> node = root;
    for (int at = 0; at < prefix.length(); at += node.edge.length()) {
      Node<T> child = node.children.get(prefix.charAt(at));
      if (child == null || !prefix.startsWith(child.edge, at)) {
        return;
      }
      path.add(node);
      node = child;
    }
    node.values.remove(value);
    // A node without values is needed only where paths part.
    for (int i = path.size() - 1; i >= 0 && node.values.isEmpty(); i--) {
      Node<T> parent = path.get(i);
      if (node.children.isEmpty()) {
        parent.children.remove(node.edge.charAt(0));
      } else if (node.children.size() == 1) {
        Node<T> child = node.children.values().iterator().next();
        child.edge = node.edge + child.edge;
        parent.adopt(child);
      } else {
        return;
      }
      node = parent;
    }
  }

  void match(String key, Consumer<? super T> found) {
    Node<T> node = root;
    int at = 0;
    while (true) {
      node.values.forEach(found);
      if (at == key.length()) {
        return;
      }
      Node<T> child = node.children.get(key.charAt(at));
      if (child == null || !key.startsWith(child.edge, at)) {
        return;
      }
      at += child.edge.length();
      node = child;
    }
  }

  boolean isEmpty() {
    return root.values.isEmpty() && root.children.isEmpty();
  }

  private static int common(String edge, String prefix, int from) {
    int most = Math.min(edge.length(), prefix.length() - from);
    int length = 0;
    while (length < most && edge.charAt(length) == prefix.charAt(from + length)) {
      length++;
    }
    return length;
  }
}
