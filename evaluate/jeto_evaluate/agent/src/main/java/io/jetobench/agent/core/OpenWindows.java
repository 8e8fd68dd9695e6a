package io.jetobench.agent.core;

import java.util.ArrayList;
import java.util.List;

/** The sets that have started and not ended, outer before inner. */
final class OpenWindows {
  private final List<Window> open = new ArrayList<Window>();
  private int positions;

  /** Adds a set that the calling thread has started. */
  Window add(long thread, String name, Callers callers) {
    Window window = new Window(callers.testNg ? null : name, thread, callers.testNg);
    window.replay = callers.replay;
    Window parent = null;
    for (Window other : open) {
      if (other.thread == thread) {
        parent = other;
        window.depth++;
      } else {
        other.parallel = true;
        window.parallel = true;
      }
    }
    if (!window.segmented) {
      window.position = parent == null ? positions++ : parent.position;
    }
    open.add(window);
    return window;
  }

  /** Removes the set that was completed; null: none of this name is open. */
  Window remove(long thread, String name) {
    Window found = null;
    for (Window window : open) {
      if (window.segmented || window.name.equals(name)) {
        found = better(thread, found, window);
      }
    }
    open.remove(found);
    return found;
  }

  /** The window that an event of a test belongs to; null: none is open. */
  Window of(long thread) {
    Window found = null;
    for (Window window : open) {
      found = better(thread, found, window);
    }
    if (found != null) {
      found.otherThread |= found.thread != thread;
    }
    return found;
  }

  /** A class that is known by an event alone. */
  Window lone(long thread, String type) {
    Window window = new Window(type, thread, false);
    window.position = positions++;
    return window;
  }

  /** Gives a segment its class. */
  void name(Window segment, String type) {
    segment.name = type;
    segment.position = positions++;
  }

  /** Puts a segment in the place of the one before. */
  Window replace(Window segment, long thread, String type) {
    Window next = new Window(null, thread, true);
    next.replay = segment.replay;
    next.parallel = segment.parallel;
    name(next, type);
    open.set(open.indexOf(segment), next);
    return next;
  }

  /** Takes what the agent itself used out of the windows around it. */
  void charge(long thread, Snapshot from, Snapshot to, Window except) {
    for (Window window : open) {
      if (window != except && window.thread == thread) {
        window.charge(from, to);
      }
    }
  }

  void reportTo(Trouble trouble) {
    for (Window window : open) {
      trouble.add("a set was not completed: " + window.name);
    }
  }

  private static Window better(long thread, Window found, Window next) {
    return found == null || next.thread == thread || found.thread != thread ? next : found;
  }
}
