"""File formats for graphs, one a file: the shelf behind `write_graph` and `read_graph`.

To add one, write a module with a class that bears the module's name and derives from `GraphFormat`,
or from `ReadableFormat`. It sees and returns graphs over ``str`` nodes whose edge attributes are
finite floats. Names are text that somebody else chose: quotes, line breaks and ``</script>`` have
to come back as they were.
"""
