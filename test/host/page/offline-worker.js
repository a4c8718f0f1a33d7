// Stands in for the worker that a build writes.
